import type { ConsentActView } from '../api/sms';

const acts: Record<ConsentActView, string> = {
  form: 'With the box on the form',
  default: 'By entering, where no answer counted as yes',
  switch: 'With the switch on their page',
  start_keyword: 'With START, after STOP',
};

const onTheClock = new Intl.DateTimeFormat('en-US', {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: 'UTC', // what is read is the time of the place already
});

/** How somebody agreed to texts. */
export const actOf = (act: ConsentActView): string => acts[act];

/** `2026-11-22T15:04:05-05:00` as the clock there shows it, `Nov 22, 2026, 3:04 PM`; one for each time zone of the area code. */
export const localTimeOf = (times: string): string =>
  times
    .split(' or ')
    .map((time) => onTheClock.format(new Date(`${time.slice(0, 16)}Z`)))
    .join(' or ');
