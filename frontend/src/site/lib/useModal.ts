import { useEffect, useRef, useState } from 'react';

/** Shows a dialog as long as it is rendered, and gives the focus back at the end. */
export function useModal(close: () => void) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [opener] = useState(() => document.activeElement);
  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => {
      element?.close();
      // It is removed by now, so the browser does not give the focus back by itself.
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
    };
  }, [opener]);
  return {
    ref: dialog,
    onCancel: (event: { preventDefault: () => void }) => {
      event.preventDefault(); // the owner closes it, by no longer rendering it
      close();
    },
  };
}
