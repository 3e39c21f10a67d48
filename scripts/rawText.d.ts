/** A file as a string: esbuildPlugins.mjs in the build, Vite in tests. */
declare module '*?raw' {
  const text: string;
  // biome-ignore lint/style/noDefaultExport: Vite exports it as the default
  export default text;
}
