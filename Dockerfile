# The image of the server: one program that contains the client, on a base without a shell, as a user without rights.
#
#   docker build -t tombola .
#   docker buildx build --platform linux/amd64,linux/arm64 -t REGISTRY/tombola:VERSION --push .
#
# Both platforms are built on the builder's own: the Rust and C compilers make programs for the other one. Other platforms have
# no entry in scripts/cross.sh yet.

# The client is the same for every platform.
FROM --platform=$BUILDPLATFORM node:22-bookworm-slim AS client
WORKDIR /src/frontend
COPY frontend/package.json frontend/package-lock.json frontend/.npmrc ./
RUN --mount=type=cache,target=/root/.npm npm ci --no-audit --no-fund
COPY frontend ./
RUN npm run --silent build

FROM --platform=$BUILDPLATFORM rust:1.95.0-bookworm AS build
ARG TARGETARCH
# The compiler of this image, without the components for development that rust-toolchain.toml lists.
ENV RUSTUP_TOOLCHAIN=1.95.0
WORKDIR /src
COPY scripts/cross.sh scripts/
RUN scripts/cross.sh install "$TARGETARCH"
COPY . .
COPY --from=client /src/frontend/dist frontend/dist
RUN --mount=type=cache,target=/usr/local/cargo/registry \
    --mount=type=cache,target=/src/target \
    scripts/cross.sh build "$TARGETARCH" /out/tombola

# glibc, its C runtime, certificates and time zones; no shell, no package manager. Its user is 65532.
FROM gcr.io/distroless/cc-debian12:nonroot
COPY --from=build /out/tombola /usr/local/bin/tombola
ENV BIND_ADDR=0.0.0.0:8080
EXPOSE 8080
USER 65532:65532
HEALTHCHECK --interval=5s --timeout=3s --start-period=60s --retries=3 CMD ["/usr/local/bin/tombola", "health"]
ENTRYPOINT ["/usr/local/bin/tombola"]
CMD ["serve"]
