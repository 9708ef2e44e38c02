# syntax=docker/dockerfile:1

# The service with DynamoDB, S3 and SQS embedded, for those who host it themselves; docs/container.md says how.

# The version is Cargo.toml's rust-version.
FROM rust:1.94.1-slim-trixie AS build
WORKDIR /source
COPY . .
# Caches of the machine that builds: they speed up the next build and are in no layer. So the programs are copied out.
RUN --mount=type=cache,target=/usr/local/cargo/registry \
    --mount=type=cache,target=/source/target \
    cargo build --locked --release -p local -p admin \
    && mkdir -p /image/data \
    && cp target/release/prompt-workflow target/release/admin /image/

# The C library of the build's Debian and certificates, without a shell; its user is 65532.
FROM gcr.io/distroless/cc-debian13:nonroot
COPY --from=build /image/prompt-workflow /image/admin /usr/local/bin/
# A volume takes over who owns the folder at its first use.
COPY --from=build --chown=65532:65532 /image/data /data
USER 65532:65532
WORKDIR /
VOLUME /data
EXPOSE 9400
# The process stops within a second of SIGTERM, which is what docker sends.
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s --retries=3 \
    CMD ["prompt-workflow", "health"]
# The container's own loopback is reached by nobody else; who reaches this port is said by `docker run -p`.
ENTRYPOINT ["prompt-workflow", "--listen", "0.0.0.0", "--data-dir", "/data"]
