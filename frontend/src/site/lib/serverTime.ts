/** What the server's clock showed when it answered. That of this browser may be days off. */
export const serverTime = ({ headers }: Response): number =>
  Date.parse(headers.get('Date') ?? '') || Date.now();
