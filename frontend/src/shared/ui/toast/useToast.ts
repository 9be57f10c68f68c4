import { showToast } from './toasts';

export const useToast = () => showToast;
