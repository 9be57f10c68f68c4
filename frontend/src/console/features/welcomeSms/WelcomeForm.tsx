import { useWatch } from 'react-hook-form';
import type { LandingPageView } from '../../api/admin';
import { siteName } from '../../../shared/lib/siteName';
import { insertInto } from '../../form/insertInto';
import { useUnsavedChanges } from '../../form/unsavedChanges';
import { raffleKeys } from '../../lib/raffles';
import { inPlainSigns } from '../../lib/smsSegments';
import { Button } from '../../ui/Button';
import { Field } from '../../ui/Field';
import { FormActions } from '../../ui/FormActions';
import { MessagePreview } from '../../ui/MessagePreview';
import { RaffleSelect } from '../../ui/RaffleSelect';
import { useWelcomeForm } from './useWelcomeForm';
import { exampleText, hasLink, placeholders } from './welcomeText';
import type { WelcomeValues } from './welcomeValues';

const [USUAL, ...others] = placeholders;
const example = `${siteName}: you're in! You could win $150+ in garden gear. Get +1 entry for each friend who joins: ${USUAL}`;

interface Props {
  /** Without one, a new one is made. */
  edited?: WelcomeValues;
  /** The landing pages that have one: there is one for each. */
  taken?: LandingPageView[];
  onClose: () => void;
}

export function WelcomeForm({ edited, taken = [], onClose }: Props) {
  const form = useWelcomeForm(edited, onClose);
  const { register, errors, isSubmitting, problem, submit } = form;
  const leave = useUnsavedChanges(form.formState.isDirty);

  return (
    <form className="sms-form" onSubmit={submit} noValidate>
      {!edited && (
        <Field label="Landing page" error={errors.landingPage?.message}>
          {(props) => (
            <RaffleSelect
              {...props}
              none="Select a landing page"
              noteOf={(key) => (taken.includes(key) ? 'has one' : undefined)}
              isDisabled={(key) => taken.includes(key)}
              required
              {...register('landingPage')}
            />
          )}
        </Field>
      )}
      <Field
        label="Message template"
        hint={`${USUAL} becomes the entrant's own referral link. So do ${others.join(', ')}.`}
        error={errors.messageTemplate?.message}
      >
        {(props) => (
          <textarea
            {...props}
            rows={5}
            required
            placeholder={example}
            {...register('messageTemplate')}
          />
        )}
      </Field>
      <div>
        <Button size="small" onClick={(event) => insertInto(event, 'messageTemplate', USUAL)}>
          Insert {USUAL}
        </Button>
      </div>
      <LivePreview form={form} />
      <FormActions
        submitLabel={isSubmitting ? 'Saving...' : edited ? 'Save message' : 'Create message'}
        busy={isSubmitting}
        problem={problem}
        onCancel={() => leave(onClose)}
      />
    </form>
  );
}

function LivePreview({ form: { control, setValue } }: { form: ReturnType<typeof useWelcomeForm> }) {
  const [message, landingPage] = useWatch({ control, name: ['messageTemplate', 'landingPage'] });
  return (
    <>
      <MessagePreview
        text={exampleText(message, landingPage || (raffleKeys()[0] ?? ''))}
        onPlain={() =>
          setValue('messageTemplate', inPlainSigns(message), {
            shouldDirty: true,
            shouldValidate: true,
          })
        }
      />
      {message.trim() !== '' && (
        <div className="quiet-text" role="status">
          {!hasLink(message) && (
            <p>This message has no link: entrants find theirs only on the page.</p>
          )}
          {!message.includes(siteName) && (
            <p>This message does not say that it comes from {siteName}.</p>
          )}
        </div>
      )}
    </>
  );
}
