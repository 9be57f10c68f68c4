import type { ApiError } from '../../../shared/api/apiError';
import { call } from '../../api/call';
import type {
  EnteredUserView as RegisteredUser,
  EnteredView,
  LandingPageView as LandingPage,
  RegisterBody,
  RegisterReferredBody,
} from '../../api/generated';
import type { EnterValues } from './schema';

export type { LandingPage, RegisteredUser };

interface Entry {
  values: EnterValues;
  landingPage: LandingPage;
  eventId: string;
  referralCode: string | undefined;
}

type Answer = { user: RegisteredUser } | { error: ApiError };

/** A plain call and no RTK Query mutation: the first submit should not wait for 23 kB more. */
export async function register(entry: Entry): Promise<Answer> {
  const { url, body } = requestOf(entry);
  const { data, error } = await call({ url, method: 'POST', body });
  return error ? { error } : { user: (data as EnteredView).user };
}

function requestOf({ values, landingPage, eventId, referralCode }: Entry) {
  const body: RegisterBody = {
    phoneNumber: values.phoneNumber.trim(),
    landingPage,
    event_id: eventId,
    smsConsent: values.smsConsent,
  };
  if (!referralCode) return { url: '/api/users/register', body };
  const referred: RegisterReferredBody = { ...body, referralCode };
  return { url: '/api/users/register-referred', body: referred };
}
