import { useEffect, useLayoutEffect, useRef } from 'react';

/** Opens a dialog over everything else while it is rendered, and gives the focus back afterwards. */
export function useModal() {
  const dialog = useRef<HTMLDialogElement>(null);
  const opener = useRef<Element>(null);

  // Before the browser drops the focus of a page that is hidden at the same time.
  useLayoutEffect(() => {
    opener.current = document.activeElement;
    dialog.current?.showModal();
  }, []);

  useEffect(() => {
    const element = dialog.current;
    const { current: focused } = opener;
    return () => {
      element?.close();
      // Closing restores the focus, but not when React has already removed the dialog.
      if (focused instanceof HTMLElement && focused.isConnected) focused.focus();
    };
  }, []);

  return dialog;
}
