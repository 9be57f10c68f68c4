import { mixed, string } from 'yup';
import type { LandingPageView } from '../api/admin';
import { lengthOf } from '../../shared/lib/lengthOf';
import { isPhoneNumber } from '../../shared/lib/phone';
import { isRaffle } from '../lib/raffles';

/** A text of at least one character that is no space, and of at most `most` characters. */
export const text = (most: number, required: string, tooLong: string) =>
  string()
    .trim()
    .required(required)
    .test('max', tooLong, (value) => lengthOf(value) <= most);

const LEAST_REASON_CHARS = 3;
const REASON_CHARS = 500;

/** Why staff did something that concerns a person. */
export const reason = () =>
  string()
    .trim()
    .required('Enter a reason.')
    .test('length', `Must have ${LEAST_REASON_CHARS} to ${REASON_CHARS} characters`, (value) => {
      const length = lengthOf(value);
      return length >= LEAST_REASON_CHARS && length <= REASON_CHARS;
    });

export const phoneNumber = () =>
  string().defined().test('phone', 'Please enter a valid phone number.', isPhoneNumber);

/** One of the raffles; `''` is the select's first option, which is none. */
export const raffle = <Key extends LandingPageView>(required: string) =>
  mixed<Key>().defined().test('raffle', required, isRaffle);
