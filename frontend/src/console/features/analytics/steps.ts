import type { FunnelView } from '../../api/admin';
import { inWords } from '../../../shared/lib/format';

export interface FunnelStep {
  key: string;
  /** `pageView` reads `Page View`. */
  name: string;
  count: number;
  exits: number;
}

/** Taken only where numbers are proved by a code. */
const codeSteps = ['codeSent', 'codeVerified'];

/** In which order people take them; a step that is not listed comes last. */
const order = [
  'pageView',
  'smsClick',
  'formStart',
  'formSubmit',
  ...codeSteps,
  'signUp',
  'socialShare',
  'purchaseStart',
  'purchaseComplete',
];

export const placeOf = (key: string) => (order.includes(key) ? order.indexOf(key) : order.length);

export function stepsOf({ stepBreakdown }: FunnelView): FunnelStep[] {
  const hasCodes = codeSteps.some((key) => (stepBreakdown[key]?.count ?? 0) > 0);
  return Object.entries(stepBreakdown)
    .filter(([key]) => hasCodes || !codeSteps.includes(key))
    .map(([key, step]) => ({ key, name: inWords(key), ...step }))
    .sort((a, b) => placeOf(a.key) - placeOf(b.key));
}

export function percentContinuing({ count, exits }: FunnelStep): number {
  return count === 0 ? 0 : ((count - exits) / count) * 100;
}
