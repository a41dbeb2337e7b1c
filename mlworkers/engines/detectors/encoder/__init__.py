"""The embedded neural detector: a small multilingual encoder, run by ONNX Runtime alone.

`pieces` cuts words, `inputs` sentences; `network` computes; `detector` puts them together behind the interface.
`bench/train_encoder.py` and `bench/pack_encoder.py` made what is shipped in `engines/data/encoder`.
"""
