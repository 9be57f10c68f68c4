import { Toast as RadixToast } from 'radix-ui';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import {
  TOAST_DURATION_MS,
  TOAST_HOTKEY,
  TOAST_REMOVE_DELAY_MS,
  TOAST_SWIPE_THRESHOLD_PX,
  dismissToast,
  getToasts,
  removeToast,
  subscribe,
  type Toast,
} from './toasts';

export default function Toaster() {
  const shown = useSyncExternalStore(subscribe, getToasts);
  const viewport = useTopLayer();
  return (
    <RadixToast.Provider
      duration={TOAST_DURATION_MS}
      swipeDirection="right"
      swipeThreshold={TOAST_SWIPE_THRESHOLD_PX}
    >
      {shown.map((toast) => (
        <OneToast key={toast.id} toast={toast} />
      ))}
      <RadixToast.Viewport className="toasts" ref={viewport} hotkey={[TOAST_HOTKEY]} />
    </RadixToast.Provider>
  );
}

/** Over modal dialogs, wherever the browser has popovers. What entered the top layer last lies over the rest of it. */
function useTopLayer() {
  const viewport = useRef<HTMLOListElement>(null);
  useEffect(() => {
    const element = viewport.current;
    if (!element || !('showPopover' in element)) return undefined;
    element.popover = 'manual';
    const raise = () => {
      element.hidePopover();
      element.showPopover();
    };
    raise();
    const dialogs = new MutationObserver(raise);
    dialogs.observe(document.body, { attributeFilter: ['open'], subtree: true });
    return () => dialogs.disconnect();
  }, []);
  return viewport;
}

function OneToast({ toast }: { toast: Toast }) {
  const dismiss = () => {
    dismissToast(toast.id);
    setTimeout(() => removeToast(toast.id), TOAST_REMOVE_DELAY_MS);
  };
  return (
    <RadixToast.Root
      className="toast"
      data-tone={toast.tone ?? 'good'}
      open={toast.open}
      onOpenChange={(open) => {
        if (!open) dismiss();
      }}
    >
      <RadixToast.Title className="toast-title">{toast.title}</RadixToast.Title>
      {toast.description && (
        <RadixToast.Description className="toast-text">{toast.description}</RadixToast.Description>
      )}
      <RadixToast.Close className="toast-close" aria-label="Close">
        <span aria-hidden="true">×</span>
      </RadixToast.Close>
    </RadixToast.Root>
  );
}
