# syntax=docker/dockerfile:1

# The base has the C library (glibc) that the compiled packages are made for.
FROM node:22-bookworm-slim AS base
WORKDIR /app

FROM base AS manifests
COPY package.json package-lock.json ./

FROM manifests AS build
# Workspaces, so npm install needs them.
COPY console/package.json ./console/
COPY servicectl/package.json servicectl/servicectl.mjs ./servicectl/
# Not npm ci: it refuses this lock file, which lacks optional packages of systems other than Linux on x64.
# From nothing, and saving nothing, npm install is as exact in what the lock file names.
RUN npm install --no-save --no-audit --no-fund
COPY nest-cli.json tsconfig.json tsconfig.build.json ormconfig.ts ./
COPY migrations ./migrations
COPY src ./src
COPY client/src ./client/src
COPY servicectl/src ./servicectl/src
COPY console ./console
COPY scripts/bundle ./scripts/bundle
# The maps lead to sources that the image does not have.
RUN npm run build && find dist -name '*.map' -delete

# Most packages are in the bundles that the build made. These are the others.
FROM manifests AS dependencies
COPY scripts/bundle/unbundled.mjs scripts/bundle/image-manifest.mjs ./scripts/bundle/
RUN node scripts/bundle/image-manifest.mjs \
  && npm install --no-save --omit=dev --no-audit --no-fund \
  && find node_modules -name '*.map' -delete

FROM base
# Each password hash takes a thread, and Node has four by default. With more, hashes do not delay other work.
ENV NODE_ENV=production UV_THREADPOOL_SIZE=16
COPY package.json ./
COPY --from=dependencies /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY --from=build /app/console/dist ./console/dist
COPY servicectl/servicectl.mjs ./servicectl/
RUN ln -s /app/servicectl/servicectl.mjs /usr/local/bin/servicectl
# An account of the base image. It owns nothing here: the program writes no file in the image.
USER node
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.SERVICE_SERVER__PORT || 8080}/health/live`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# Node itself is the first process, so that it gets the orchestrator's SIGTERM.
CMD ["node", "dist/src/main.js"]
