/** Plays the stub's tear (see .is-torn) and waits for its end: at once where motion is reduced. */
export async function tearOff(stub: HTMLElement | null): Promise<void> {
  if (!stub) return;
  stub.classList.add('is-torn');
  const running = stub.getAnimations?.() ?? [];
  await Promise.allSettled(running.map((animation) => animation.finished));
}
