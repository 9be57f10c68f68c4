/** Stands in for the themes' scenes in the browser's bundle (webpack.config.mjs): see PageScene. */
export function Scene() {
  return null;
}
