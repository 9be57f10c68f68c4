import { isMasked } from '../../../shared/lib/phone';
import type { User } from './api';

/** Whether this browser entered: the server names the number in full to that one alone. */
export const isOwn = (user: User | undefined, id: number): boolean =>
  user?.id === id && !isMasked(user.phoneNumber);
