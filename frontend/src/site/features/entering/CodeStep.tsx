import { formatPhone, normalizePhone } from '../../../shared/lib/phone';
import { CodeForm } from '../../ui/CodeForm';
import type { CodeStepProps } from './stubProps';
import { useCode } from './useCode';
import { useDelivery } from './useDelivery';

/** The stub's second step: the code that was sent to the number proves that it is the visitor's. */
export function CodeStep(props: CodeStepProps) {
  const { pending, onLeave } = props;
  const form = useCode(props);
  useDelivery(props, form.waits);

  return (
    <>
      <h2 id="stub-title">Enter your code</h2>
      <CodeForm
        form={form}
        className="enter code"
        label="Confirm your number"
        sentTo="We texted a 6-digit code to"
        phone={formatPhone(normalizePhone(pending.phoneNumber))}
        other={
          <button
            type="button"
            className={pending.undeliverable ? 'button' : 'button quiet'}
            onClick={() => onLeave('changed')}
          >
            Change number
          </button>
        }
      >
        <p className="note">
          No text? Check the number above. If you ever replied STOP, text START to{' '}
          <a className="phone" href={`sms:${pending.from}`}>
            {formatPhone(pending.from)}
          </a>{' '}
          first.
        </p>
      </CodeForm>
    </>
  );
}
