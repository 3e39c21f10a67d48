// A container image of one layer as an archive: the OCI image layout, and Docker's own list beside it,
// because `docker load` before version 25 reads only that.
import { createHash } from 'node:crypto';
import { mkdirSync, renameSync, statSync } from 'node:fs';
import path from 'node:path';
import { commitTime, run, sha256, tarFlags, writeBelow } from './files.mjs';

const mediaType = (/** @type {string} */ kind) => `application/vnd.oci.image.${kind}`;

/**
 * @param {object} image
 * @param {string} image.layer the files as a tar archive
 * @param {string} image.folder an empty folder to work in
 * @param {string} image.architecture
 * @param {string} image.version
 * @param {string} image.description
 * @param {object} image.config user, environment and entry point
 * @param {string} image.output
 */
export async function writeImageArchive(image) {
  const { layer, folder, architecture, version, output } = image;
  const created = new Date(Number(commitTime) * 1000).toISOString();
  const blobs = path.join(folder, 'blobs/sha256');
  mkdirSync(blobs, { recursive: true });

  const layerDigest = await sha256(layer);
  run('gzip', ['-6n', '--force', layer]);
  const compressedDigest = await sha256(`${layer}.gz`);
  const compressedLayer = path.join(blobs, compressedDigest);
  renameSync(`${layer}.gz`, compressedLayer);

  /** @param {object} value */
  const addJson = (value) => {
    const text = JSON.stringify(value);
    const digest = createHash('sha256').update(text).digest('hex');
    writeBelow(blobs, { [digest]: text });
    return { digest: `sha256:${digest}`, size: text.length };
  };
  const config = addJson({
    created,
    architecture,
    os: 'linux',
    config: {
      ...image.config,
      Labels: {
        'org.opencontainers.image.title': 'mar',
        'org.opencontainers.image.description': image.description,
        'org.opencontainers.image.version': version,
        'org.opencontainers.image.licenses': 'MIT',
      },
    },
    rootfs: { type: 'layers', diff_ids: [`sha256:${layerDigest}`] },
    history: [{ created, created_by: 'npm run package' }],
  });
  const manifest = addJson({
    schemaVersion: 2,
    mediaType: mediaType('manifest.v1+json'),
    config: { mediaType: mediaType('config.v1+json'), ...config },
    layers: [
      {
        mediaType: mediaType('layer.v1.tar+gzip'),
        digest: `sha256:${compressedDigest}`,
        size: statSync(compressedLayer).size,
      },
    ],
  });
  const name = `mar:${version}`;
  /** @param {string} digest */
  const blobPath = (digest) => `blobs/sha256/${digest.replace('sha256:', '')}`;
  writeBelow(folder, {
    'oci-layout': JSON.stringify({ imageLayoutVersion: '1.0.0' }),
    'index.json': JSON.stringify({
      schemaVersion: 2,
      mediaType: mediaType('index.v1+json'),
      manifests: [
        {
          mediaType: mediaType('manifest.v1+json'),
          ...manifest,
          platform: { architecture, os: 'linux' },
          annotations: {
            'io.containerd.image.name': `docker.io/library/${name}`,
            'org.opencontainers.image.ref.name': version,
          },
        },
      ],
    }),
    'manifest.json': JSON.stringify([
      {
        Config: blobPath(config.digest),
        RepoTags: [name, 'mar:latest'],
        Layers: [blobPath(compressedDigest)],
      },
    ]),
  });
  const asRoot = ['--owner=0', '--group=0', '--mode=u=rwX,go=rX'];
  run('tar', [
    ...tarFlags,
    ...asRoot,
    '-C',
    folder,
    '-cf',
    output,
    'blobs',
    'index.json',
    'manifest.json',
    'oci-layout',
  ]);
}
