/** Stands in for the themes' scenes in the browser's bundle (webpack.config.mjs): see Drawing. */
export function Scene() {
  return null;
}
