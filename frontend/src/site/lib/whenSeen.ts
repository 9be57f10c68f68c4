/** A page that is prepared, or opened in the background, is viewed when somebody sees it. */
export function whenSeen(view: () => void) {
  if (document.visibilityState !== 'hidden') return view();
  document.addEventListener('visibilitychange', view, { once: true });
}
