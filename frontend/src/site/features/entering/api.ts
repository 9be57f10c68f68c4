import type { ApiError } from '../../../shared/api/apiError';
import { call } from '../../api/call';
import type {
  EnteredUserView as RegisteredUser,
  EnteredView,
  LandingPageView as LandingPage,
  RegisterBody,
  RegisterReferredBody,
  ResendBody,
  VerificationAnswer,
  VerificationView as Verification,
  VerifyBody,
} from '../../api/generated';
import type { EnterValues } from './schema';

export type { LandingPage, RegisteredUser, Verification };

interface Entry {
  values: EnterValues;
  landingPage: LandingPage;
  eventId: string;
  referralCode: string | undefined;
}

interface Failed {
  error: ApiError;
}

/** Plain calls and no RTK Query mutations: the first submit should not wait for 23 kB more. */
async function ask<Data>(...asked: Parameters<typeof call>): Promise<Data | Failed> {
  const { data, error } = await call(...asked);
  return error ? { error } : (data as Data);
}

const post = <Data>(url: string, body: object) => ask<Data>({ url, method: 'POST', body });

/** Enters, or has a code sent to the number, which has to be confirmed first. */
export function register(entry: Entry) {
  const { url, body } = requestOf(entry);
  return post<EnteredView | VerificationAnswer>(url, body);
}

export function verify(body: VerifyBody) {
  return post<EnteredView>('/api/users/verify', body);
}

/** How it stands with the code. */
export function readVerification(id: string, signal: AbortSignal) {
  return ask<VerificationAnswer>({ url: `/api/users/verify/${encodeURIComponent(id)}` }, signal);
}

export function resendCode(body: ResendBody) {
  return post<VerificationAnswer>('/api/users/verify/resend', body);
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
