import { useEffect, useLayoutEffect, useRef } from 'react';

/** Opens a dialog over everything else while it is rendered, and gives the focus back afterwards. */
export function useModal() {
  const dialog = useRef<HTMLDialogElement>(null);
  const opener = useRef<Element>(null);

  // Before the browser takes the focus away from a page that is hidden along with this.
  useLayoutEffect(() => {
    opener.current = document.activeElement;
    dialog.current?.showModal();
  }, []);

  useEffect(() => {
    const element = dialog.current;
    const { current: focused } = opener;
    return () => {
      element?.close();
      // Closing gives the focus back by itself, but not when React has already taken the dialog out.
      if (focused instanceof HTMLElement && focused.isConnected) focused.focus();
    };
  }, []);

  return dialog;
}
