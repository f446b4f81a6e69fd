# syntax=docker/dockerfile:1
# The server as one static program, which runs as nobody in an otherwise empty image. Build it with `docker build -t flipside .`
FROM --platform=$BUILDPLATFORM golang:1.26.8-bookworm AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN --mount=type=cache,target=/go/pkg/mod go mod download
COPY clients clients
COPY cmd cmd
COPY gen gen
COPY services services
ARG TARGETOS=linux TARGETARCH=amd64
# v2 runs on processors since 2009. The engine is 10 to 25 % faster with v3, which needs one since 2013 (AVX2).
ARG GOAMD64=v2
RUN --mount=type=cache,target=/go/pkg/mod --mount=type=cache,target=/root/.cache/go-build \
    CGO_ENABLED=0 GOOS=$TARGETOS GOARCH=$TARGETARCH GOAMD64=$GOAMD64 \
    go build -trimpath -ldflags='-s -w' -o /out/flipsided ./cmd/flipsided \
 && mkdir /out/data

FROM scratch
ARG VERSION=dev
LABEL org.opencontainers.image.title="flipside" \
      org.opencontainers.image.description="A game server for Reversi and Three Trios" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="$VERSION"
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/
COPY --from=build /out/flipsided /flipsided
COPY --from=build --chown=65532:65532 /out/data /data
COPY LICENSE /LICENSE
# Strategy asks nobody for a key, so that it stays inside until FLIPSIDE_STRATEGY_ADDR says otherwise.
ENV FLIPSIDE_HTTP_ADDR=:8080 \
    FLIPSIDE_GAME_ADDR=:9090 \
    FLIPSIDE_METRICS_ADDR=:9092
# A number, so that Kubernetes can see that it is not root.
USER 65532:65532
# SQLite's file is made in the working folder, unless a setting says otherwise.
WORKDIR /data
VOLUME /data
EXPOSE 8080 9090 9091 9092
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 CMD ["/flipsided", "healthcheck"]
ENTRYPOINT ["/flipsided"]
