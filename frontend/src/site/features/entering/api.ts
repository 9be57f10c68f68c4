import type { LandingPageView as LandingPage, RegisterBody } from '../../api/generated';
import type { EnterValues } from './schema';

export {
  useRegisterMutation,
  useRegisterReferredMutation,
  type EnteredUserView as RegisteredUser,
  type LandingPageView as LandingPage,
} from '../../api/generated';

interface Entry {
  values: EnterValues;
  landingPage: LandingPage;
  eventId: string;
}

export function toRequest({ values, landingPage, eventId }: Entry): RegisterBody {
  return {
    phoneNumber: values.phoneNumber.trim(),
    landingPage,
    event_id: eventId,
    smsConsent: values.smsConsent,
  };
}
