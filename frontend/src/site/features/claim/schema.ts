import { boolean, object, string, type InferType } from 'yup';
import { lengthOf } from '../../../shared/lib/lengthOf';

const atMost = (max: number) =>
  string()
    .trim()
    .default('')
    .test('max', `Use at most ${max} characters`, (value) => lengthOf(value) <= max);

const text = (min: number, max: number, missing: string) =>
  atMost(max).test('min', missing, (value) => lengthOf(value) >= min);

const confirmed = () =>
  boolean()
    .default(false)
    .test('confirmed', 'Please confirm', (value) => value);

/** Letters, with hyphens, apostrophes and periods between. What stands before the first space is published. */
const PUBLIC_NAME = /^(?=.{1,40}$)\p{Alphabetic}+(?:[-'’.]\p{Alphabetic}+)*\.*$/u;
const isPublicName = (name: string) => PUBLIC_NAME.test(name.trim().split(/\s/)[0] ?? '');

/** The server's rules for a winner's details. */
export const detailsSchema = object({
  name: text(2, 100, 'Enter your first and last name').test(
    'public',
    'We would publish your first name, so please write it with letters only',
    (value, { parent }) => !(parent as { publicity?: boolean }).publicity || isPublicName(value),
  ),
  addressLine1: text(1, 100, 'Enter the street and the number'),
  addressLine2: atMost(100),
  city: text(1, 60, 'Enter the city'),
  state: string()
    .default('')
    .matches(/^[A-Z]{2}$/, 'Choose the state'),
  postalCode: string()
    .trim()
    .default('')
    .matches(/^[0-9]{5}(-[0-9]{4})?$/, 'Enter a ZIP code, such as 10001 or 10001-1234'),
  isAdult: confirmed(),
  isResident: confirmed(),
  rulesAccepted: confirmed(),
  publicity: boolean().default(false),
});

export type Details = InferType<typeof detailsSchema>;
