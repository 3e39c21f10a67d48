/** Late, so that a machine without a build of it gets an answer as well. */
export const loadLibrary = () => import('@napi-rs/keyring');
