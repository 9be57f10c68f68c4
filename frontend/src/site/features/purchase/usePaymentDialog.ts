import { useEffect, useRef, useState } from 'react';

/**
 * The browser's own modal dialog. While a payment is made it steps out of the top layer, where it would lie
 * over whatever the provider puts on the page (the card issuer's question, for one) and make it unreachable;
 * the page under it stays out of reach all the same. Takes the focus along, and gives it back at the end.
 */
export function usePaymentDialog(stepsAside: boolean) {
  const dialog = useRef<HTMLDialogElement>(null);
  const focused = useRef<Element>(null);
  const [opener] = useState(() => document.activeElement);

  useEffect(() => {
    const element = dialog.current;
    const page = document.getElementById('root');
    if (page) page.inert = stepsAside;
    if (stepsAside) element?.show();
    else element?.showModal();
    // At first its name, so that it is read from its beginning.
    const target = focused.current ?? element?.querySelector('h2');
    if (target instanceof HTMLElement) target.focus();
    return () => {
      focused.current = document.activeElement;
      element?.close();
      if (page) page.inert = false;
    };
  }, [stepsAside]);

  // After the effect above, which makes the page reachable again.
  useEffect(
    () => () => {
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
    },
    [opener],
  );

  return dialog;
}
