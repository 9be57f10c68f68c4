import type { SubmitEvent } from 'react';
import { useWatch, type Control } from 'react-hook-form';
import type { LandingPageView } from '../../api/admin';
import { insertInto } from '../../form/insertInto';
import { raffleNames } from '../../../shared/lib/raffleNames';
import { Button } from '../../ui/Button';
import { Field } from '../../ui/Field';
import { MessagePreview } from '../../ui/MessagePreview';
import { useWelcomeForm } from './useWelcomeForm';
import { exampleText, hasLink, placeholders } from './welcomeText';
import type { WelcomeValues } from './welcomeValues';

const [USUAL, ...others] = placeholders;

interface Props {
  /** Without one, a new one is made. */
  edited?: WelcomeValues;
  /** The landing pages that have one: there is one for each. */
  taken?: LandingPageView[];
  onClose: () => void;
}

export function WelcomeForm({ edited, taken = [], onClose }: Props) {
  const { register, control, errors, pending, problem, save } = useWelcomeForm(edited, onClose);

  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    save();
  };

  return (
    <form className="sms-form" onSubmit={submit} noValidate>
      {!edited && (
        <Field label="Landing page" error={errors.landingPage?.message}>
          {(props) => (
            <select {...props} required {...register('landingPage')}>
              <option value="">Select a landing page</option>
              {Object.entries(raffleNames).map(([key, name]) => (
                <PageOption key={key} value={key} name={name} taken={taken} />
              ))}
            </select>
          )}
        </Field>
      )}
      <Field
        label="Message template"
        hint={`${USUAL} becomes the entrant’s own referral link. So do ${others.join(', ')}.`}
        error={errors.messageTemplate?.message}
      >
        {(props) => <textarea {...props} rows={5} required {...register('messageTemplate')} />}
      </Field>
      <div>
        <Button size="small" onClick={(event) => insertInto(event, 'messageTemplate', USUAL)}>
          Insert {USUAL}
        </Button>
      </div>
      <LivePreview control={control} />
      <div role="alert" className="problem">
        {problem}
      </div>
      <div className="actions">
        <Button type="submit" variant="primary" busy={pending}>
          {pending ? 'Saving...' : edited ? 'Save message' : 'Create message'}
        </Button>
        <Button onClick={onClose} busy={pending}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

interface PageOptionProps {
  value: string;
  name: string;
  taken: LandingPageView[];
}

function PageOption({ value, name, taken }: PageOptionProps) {
  const isTaken = taken.some((key) => key === value);
  return (
    <option value={value} disabled={isTaken}>
      {name}
      {isTaken && ' (has one)'}
    </option>
  );
}

function LivePreview({ control }: { control: Control<WelcomeValues> }) {
  const [message, landingPage] = useWatch({ control, name: ['messageTemplate', 'landingPage'] });
  return (
    <>
      <MessagePreview text={exampleText(message, landingPage || 'garden-bag')} />
      {message.trim() !== '' && !hasLink(message) && (
        <p className="quiet-text" role="status">
          There is no link in this message: entrants find theirs only on the page.
        </p>
      )}
    </>
  );
}
