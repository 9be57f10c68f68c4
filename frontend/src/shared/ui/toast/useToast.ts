import { useCallback } from 'react';
import { useDispatch } from 'react-redux';
import { toastSlice, type ToastMessage } from './toastSlice';

export function useToast() {
  const dispatch = useDispatch();
  return useCallback(
    (message: ToastMessage) => {
      dispatch(toastSlice.actions.shown(message));
    },
    [dispatch],
  );
}
