import { mixed, string } from 'yup';
import type { LandingPageView } from '../api/admin';
import { lengthOf } from '../../shared/lib/lengthOf';
import { isPhoneNumber } from '../../shared/lib/phone';
import { raffleNames } from '../../shared/lib/raffleNames';

/** A text of at least one character that is no space, and of at most `most` characters. */
export const text = (most: number, required: string, tooLong: string) =>
  string()
    .trim()
    .required(required)
    .test('max', tooLong, (value) => lengthOf(value) <= most);

export const phoneNumber = () =>
  string().defined().test('phone', 'Please enter a valid phone number.', isPhoneNumber);

/** One of the raffles; `''` is the select's first option, which is none. */
export const raffle = <Key extends LandingPageView | ''>(required: string) =>
  mixed<Key>().defined().test('raffle', required, isRaffle);

export const isRaffle = (key: string): boolean => Object.hasOwn(raffleNames, key);
