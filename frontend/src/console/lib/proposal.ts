/** What a call answers that two people make: nothing is done before somebody else approves. */
export interface Proposed {
  approvalId: number;
  expiresAt: string;
}

export const isProposed = (answer: unknown): answer is Proposed =>
  typeof answer === 'object' && answer !== null && 'approvalId' in answer;
