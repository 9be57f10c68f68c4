import { useEffect, useRef } from 'react';

/** What lib.dom does not know yet: https://wicg.github.io/web-otp/ */
interface OtpRequest extends CredentialRequestOptions {
  otp: { transport: ['sms'] };
}

/**
 * Where the browser can read the one text that is for this page (its last line names our host), it asks the
 * visitor and hands the code over. It waits until the step is left, and starts again for each code that is sent.
 */
export function useWebOtp(sent: string, onCode: (code: string) => void) {
  const latest = useRef(onCode);
  useEffect(() => {
    latest.current = onCode;
  });
  useEffect(() => {
    if (!('OTPCredential' in window)) return undefined;
    const left = new AbortController();
    const asked: OtpRequest = { otp: { transport: ['sms'] }, signal: left.signal };
    navigator.credentials.get(asked).then(
      (credential) => {
        const { code } = (credential ?? {}) as { code?: string };
        if (code && !left.signal.aborted) latest.current(code);
      },
      () => undefined, // refused, or there was no text in time: people type it
    );
    return () => left.abort();
  }, [sent]);
}
