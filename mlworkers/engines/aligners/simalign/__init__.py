"""The SimAlign method: links from the similarity of contextual embeddings.

`embeddings` runs the model, `similarity_matching` chooses the links, `aligner` joins the two. All of them need torch,
so they are imported only when the aligner is asked for.
"""
