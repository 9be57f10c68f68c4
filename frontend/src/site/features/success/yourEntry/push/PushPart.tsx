import { useAction } from '../../../../lib/useAction';
import type { Push } from './usePush';

/** A message of the browser when it is drawn: said in our words first, asked by the browser only after the button. */
export function PushPart({ push: { state, turnOn, turnOff } }: { push: Push }) {
  const isOn = state === 'on';
  const isBlocked = state === 'blocked';
  const { start, busy, problem } = useAction(isOn ? turnOff : turnOn);
  if (state === 'loading' || state === 'unavailable') return null;
  return (
    <div className="day-part">
      {!isBlocked && (
        <p aria-live="polite">
          {isOn
            ? 'This browser tells you when it is drawn.'
            : 'Get a notification when the winner is drawn. Once a month, nothing else.'}
        </p>
      )}
      <p role="status" className="note">
        {isBlocked &&
          "Notifications are blocked for this site. Allow them in your browser's settings, then reload this page."}
        {busy && !isOn && 'Your browser may ask you now whether it may show messages.'}
      </p>
      <div role="alert" className="problem">
        {problem}
      </div>
      {!isBlocked && (
        <button
          type="button"
          className="button quiet"
          aria-disabled={busy}
          onClick={() => void start()}
        >
          {isOn ? 'Stop telling me' : 'Tell me when it is drawn'}
        </button>
      )}
    </div>
  );
}
