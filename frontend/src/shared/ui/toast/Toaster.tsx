import { Toast as RadixToast } from 'radix-ui';
import { useDispatch, useSelector } from 'react-redux';
import {
  TOAST_DURATION_MS,
  TOAST_HOTKEY,
  TOAST_REMOVE_DELAY_MS,
  TOAST_SWIPE_THRESHOLD_PX,
  toastSlice,
  type Toast,
  type ToastState,
} from './toastSlice';

export default function Toaster() {
  const shown = useSelector((state: ToastState) => state.toasts.shown);
  return (
    <RadixToast.Provider
      duration={TOAST_DURATION_MS}
      swipeDirection="right"
      swipeThreshold={TOAST_SWIPE_THRESHOLD_PX}
    >
      {shown.map((toast) => (
        <OneToast key={toast.id} toast={toast} />
      ))}
      <RadixToast.Viewport className="toasts" hotkey={[TOAST_HOTKEY]} />
    </RadixToast.Provider>
  );
}

function OneToast({ toast }: { toast: Toast }) {
  const dispatch = useDispatch();
  const dismiss = () => {
    dispatch(toastSlice.actions.dismissed(toast.id));
    setTimeout(() => dispatch(toastSlice.actions.removed(toast.id)), TOAST_REMOVE_DELAY_MS);
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
