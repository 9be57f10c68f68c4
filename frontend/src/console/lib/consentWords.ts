import type { ConsentActView } from '../api/sms';

const acts: Record<ConsentActView, string> = {
  form: 'With the box on the form',
  default: 'By entering, where no answer counted as yes',
  switch: 'With the switch on their page',
  start_keyword: 'With START, after STOP',
};

/** How somebody agreed to texts. */
export const actOf = (act: ConsentActView): string => acts[act];

/** `2026-11-22T15:04:05-05:00` as people read it; one for each time zone of the area code. */
export const localTimeOf = (times: string): string =>
  times
    .split(' or ')
    .map((time) => time.slice(0, 16).replace('T', ', '))
    .join(' or ');
