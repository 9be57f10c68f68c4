import { requireCookies } from './cookies';
import { useAction, type Explain } from './useAction';

/** A button that has a code sent, but to no browser in which the code would count for nothing. */
export const useSendCode = (send: () => Promise<unknown>, explain?: Explain) =>
  useAction(async () => {
    requireCookies();
    await send();
  }, explain);
