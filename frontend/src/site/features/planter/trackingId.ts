/** The id in the address of the page behind a text's link, as it stands there: any text, which may be in no text of ours. */
export function trackingIdOf(path: string): string | undefined {
  return /^\/planter\/([^/]+)$/.exec(path)?.[1];
}

/** Whether the server could have made this id. Any other is not worth a request. */
export function isOurs(trackingId: string): boolean {
  return /^[A-Za-z0-9-]{1,64}$/.test(trackingId);
}
