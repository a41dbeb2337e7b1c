# make types   the scripts' types against the API's schema (needs Node.js; its two tools come from the npm registry)

ifneq ($(shell command -v npm),)
types: export DATA_DIR := $(CURDIR)/build/check
types: .venv/installed-dev node_modules/.package-lock.json
	@mkdir -p build/types
	$(BIN)/python manage.py spectacular --format openapi-json --file build/types/openapi.json
	node_modules/.bin/openapi-typescript build/types/openapi.json --output build/types/api.d.ts
	node_modules/.bin/tsc --project tsconfig.json --incremental --tsBuildInfoFile build/types/logic.tsbuildinfo
	node_modules/.bin/tsc --project tsconfig.pages.json --incremental --tsBuildInfoFile build/types/pages.tsbuildinfo

node_modules/.package-lock.json: package.json package-lock.json
	npm ci --no-audit --no-fund
	@touch $@
else
types:
	@echo "Not installed: npm. Skipped therefore: the types of the scripts."
endif

.PHONY: types
