/**
 * The step for the code is an entry of its own in the browser's history, so that the back button leads to the
 * form. The form's entry is marked too: a link within the page makes an entry without a mark.
 */
type Step = 'number' | 'code';

const stepOf = (state: unknown) => (state as { step?: Step } | null)?.step;

export function pushCodeStep(): void {
  history.replaceState({ step: 'number' }, '');
  history.pushState({ step: 'code' }, '');
}

export const isAtCodeStep = () => stepOf(history.state) === 'code';

/** Whether the back button has just led from the step to the form. */
export const isBackAtForm = ({ state }: PopStateEvent) => stepOf(state) === 'number';

/** Shows another path. The step for a code that was used is no place to go back to. */
export function showPath(path: string): void {
  if (isAtCodeStep()) history.replaceState(null, '', path);
  else history.pushState(null, '', path);
}
