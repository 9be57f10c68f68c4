/** What the server says of a code that it sent. */
interface CodeAnswer {
  expiresAt: string;
  /** In seconds from the answer on, as is `resendAfter`. */
  expiresAfter: number;
  resendAfter: number;
  undeliverable: boolean;
}

/** A code that was sent. What is in milliseconds is by this browser's clock, which may be days off the server's. */
export interface SentCode {
  /** Only tells one code from the next: by the server's clock, so it is compared with no time of ours. */
  expiresAt: string;
  worksUntil: number;
  /** From when on another code may be sent. */
  resendAt: number;
  /** The provider says for good that the text cannot reach the number. */
  undeliverable: boolean;
}

export const sentCodeOf = (answer: CodeAnswer, receivedAt: number): SentCode => ({
  expiresAt: answer.expiresAt,
  worksUntil: receivedAt + answer.expiresAfter * 1_000,
  resendAt: receivedAt + answer.resendAfter * 1_000,
  undeliverable: answer.undeliverable,
});
