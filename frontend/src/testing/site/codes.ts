import { screen } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import type { EnteredUserView, VerificationView } from '../../site/api/generated';
import type { Sent } from '../server';
import { aRegisteredUser } from './builders';

export const CODE = '123456';

/** The pages of a server with PHONE_VERIFICATION=on say so. */
export function turnCodesOn() {
  document.head.innerHTML = '<meta name="phone-verification" content="on">';
}

export const aVerification = (changes: Partial<VerificationView> = {}): VerificationView => ({
  id: 'AAECAwQFBgcICQoLDA0ODw',
  expiresAt: new Date(Date.now() + 600_000).toISOString(),
  expiresAfter: 600,
  resendAfter: 60,
  undeliverable: false,
  from: '+15550100000',
  ...changes,
});

const answering = (path: string, sent: Sent[], changes: Partial<VerificationView>) =>
  http.post(`*${path}`, async ({ request }) => {
    const body = (await request.json()) as Sent['body'];
    sent.push({ path: new URL(request.url).pathname, body });
    return HttpResponse.json({ verification: aVerification(changes) }, { status: 202 });
  });

/** Answers sign-ups with a code, and keeps what was sent. */
const sendingCodes = (sent: Sent[], changes: Partial<VerificationView> = {}) => [
  answering('/api/users/register', sent, changes),
  answering('/api/users/register-referred', sent, changes),
];

/** Answers how it stands with the code that was sent; `asked` has the addresses that came. */
export const watching = (changes: Partial<VerificationView> = {}, asked: string[] = []) =>
  http.get('*/api/users/verify/:id', ({ request }) => {
    asked.push(new URL(request.url).pathname);
    return HttpResponse.json({ verification: aVerification(changes) });
  });

/** Takes every code. */
export const confirming = (changes: Partial<EnteredUserView>, sent: Sent[]) =>
  http.post('*/api/users/verify', async ({ request }) => {
    const body = (await request.json()) as Sent['body'];
    sent.push({ path: new URL(request.url).pathname, body });
    const user = aRegisteredUser(changes);
    return HttpResponse.json({ user }, { status: user.isNew ? 201 : 200 });
  });

export const resending = (sent: Sent[], changes: Partial<VerificationView> = {}) =>
  answering('/api/users/verify/resend', sent, changes);

/** A server on which numbers are proved. */
export const withCodes = (sent: Sent[], first: Partial<VerificationView> = {}) => [
  ...sendingCodes(sent, first),
  resending(sent),
  confirming({}, sent),
  watching(),
];

export const codeInput = () => screen.getByLabelText<HTMLInputElement>('6-digit code');
