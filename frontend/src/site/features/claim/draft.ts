import { forget, recall, remember } from '../../lib/tabStorage';
import type { Details } from './schema';

/** What was typed, as this tab keeps it until it is sent: a reload or another status must not lose it. */
const keyOf = (token: string) => `tombola.claim.${token}`;

export const emptyDetails: Details = {
  name: '',
  addressLine1: '',
  addressLine2: '',
  city: '',
  state: '',
  postalCode: '',
  isAdult: false,
  isResident: false,
  rulesAccepted: false,
  publicity: false,
};

export const keepDraft = (token: string, details: Partial<Details>) =>
  remember(keyOf(token), JSON.stringify(details));

export function recallDraft(token: string): Details {
  try {
    return { ...emptyDetails, ...(JSON.parse(recall(keyOf(token)) ?? '{}') as Partial<Details>) };
  } catch {
    return emptyDetails;
  }
}

export const forgetDraft = (token: string) => forget(keyOf(token));
