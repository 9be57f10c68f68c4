import { boolean, object, string } from 'yup';
import { formatCount, formatMoney } from '../../../shared/lib/format';
import { text } from '../../form/rules';
import { centsOf, countOf } from './packageValues';

const NAME_CHARS = 80;
const DESCRIPTION_CHARS = 300;
const MAX_ENTRIES = 1_000_000;
const MAX_CENTS = 99_999_999;
const MAX_SORT_ORDER = 2_147_483_647;

/** The server's rules for a package. */
export const packageSchema = object({
  name: line('Name', NAME_CHARS),
  description: line('Description', DESCRIPTION_CHARS),
  entries: figure((text) => {
    const entries = countOf(text);
    if (!text.trim() || entries < 1) return 'Must be at least 1 entry';
    if (Number.isNaN(entries)) return 'Must be a whole number';
    if (entries > MAX_ENTRIES) return `Must be at most ${formatCount(MAX_ENTRIES)} entries`;
  }),
  price: figure((text) => {
    const cents = centsOf(text);
    if (!text.trim() || cents < 1) return 'Price must be greater than 0';
    if (Number.isNaN(cents)) return 'Enter dollars and cents, such as 5.00';
    if (cents > MAX_CENTS) return `Price must be at most ${formatMoney(MAX_CENTS)}`;
  }),
  isPopular: boolean().required(),
  isActive: boolean().required(),
  sortOrder: figure((text) => {
    const order = countOf(text);
    if (!(order >= 0)) return 'Must be a whole number, 0 or more';
    if (order > MAX_SORT_ORDER) return `Must be at most ${formatCount(MAX_SORT_ORDER)}`;
  }),
});

function line(name: string, most: number) {
  return text(most, `${name} is required`, `${name} must be at most ${most} characters`);
}

/** A text that stands for a number; `problemOf` says what is wrong with it, if anything is. */
function figure(problemOf: (text: string) => string | undefined) {
  return string()
    .defined()
    .test('figure', (text, context) => {
      const message = problemOf(text);
      return message === undefined || context.createError({ message });
    });
}
