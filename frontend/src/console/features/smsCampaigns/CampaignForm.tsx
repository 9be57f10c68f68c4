import { useId } from 'react';
import { useWatch, type Control } from 'react-hook-form';
import type { SmsTemplateView } from '../../api/sms';
import { useUnsavedChanges } from '../../form/unsavedChanges';
import { siteTimeZone } from '../../../shared/lib/nextDrawing';
import { Field } from '../../ui/Field';
import { FormActions } from '../../ui/FormActions';
import type { CampaignValues } from './campaignValues';
import { ConfirmCampaign } from './ConfirmCampaign';
import { ListSummaryText } from './ListSummaryText';
import { MessagePreview } from '../../ui/MessagePreview';
import { RaffleSelect } from '../../ui/RaffleSelect';
import { exampleText } from './templateValues';
import { useCampaignForm } from './useCampaignForm';
import { WhenInWords } from './WhenInWords';

interface Props {
  /** The active ones. */
  templates: SmsTemplateView[];
  /** What it begins with; nothing without them. */
  values?: CampaignValues;
  /** The campaign that is changed; without it, a new one is scheduled. */
  edited?: number;
  onClose: () => void;
  /** After it was scheduled or changed; closed without it. */
  onDone?: () => void;
}

type Form = ReturnType<typeof useCampaignForm>;

export function CampaignForm({ templates, values, edited, onClose, onDone = onClose }: Props) {
  const form = useCampaignForm({ values, edited, onDone });
  const { register, control, errors, isSubmitting, problem, submit } = form;
  const leave = useUnsavedChanges(form.formState.isDirty);

  return (
    <>
      <form className="sms-form" onSubmit={submit} noValidate>
        <Field label="Campaign name" hint="Only staff see it." error={errors.campaignName?.message}>
          {(props) => (
            <input {...props} autoComplete="off" required {...register('campaignName')} />
          )}
        </Field>
        <Field label="Template" error={errors.templateId?.message}>
          {(props) => (
            <select {...props} required {...register('templateId')}>
              <option value="">Choose a template</option>
              {templates.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          )}
        </Field>
        <ChosenTemplate control={control} templates={templates} />
        <When form={form} />
        <Audience form={form} />
        <Field
          label="Link base URL (optional)"
          hint="Each link is this URL followed by /planter/ and an id. Leave it empty to use this site's URL."
          error={errors.trackingUrlBase?.message}
        >
          {(props) => (
            <input
              {...props}
              type="url"
              autoComplete="off"
              placeholder={location.origin}
              {...register('trackingUrlBase')}
            />
          )}
        </Field>
        <FormActions
          submitLabel={isSubmitting ? 'Counting...' : 'Review campaign'}
          busy={isSubmitting}
          problem={problem}
          onCancel={() => leave(onClose)}
        />
      </form>
      {form.asked && (
        <ConfirmCampaign
          asked={form.asked}
          isEdit={edited !== undefined}
          isScheduling={form.isScheduling}
          problem={form.scheduleProblem}
          onConfirm={form.confirm}
          onClose={form.reconsider}
        />
      )}
    </>
  );
}

interface ChosenProps {
  control: Control<CampaignValues>;
  templates: SmsTemplateView[];
}

/** What the chosen template says, before anything is counted. */
function ChosenTemplate({ control, templates }: ChosenProps) {
  const templateId = useWatch({ control, name: 'templateId' });
  const chosen = templates.find(({ id }) => String(id) === templateId);
  if (!chosen) return null;
  const { messageTemplate, linkPlaceholder, landingPage } = chosen;
  return <MessagePreview text={exampleText(messageTemplate, linkPlaceholder, landingPage)} />;
}

function When({ form: { register, control, errors } }: { form: Form }) {
  const when = useWatch({ control, name: 'when' });
  const id = useId();
  return (
    <fieldset className="sms-audience">
      <legend>When</legend>
      {times.map(({ value, label, hint }) => (
        <div className="check" key={value}>
          <input
            type="radio"
            id={`${id}-${value}`}
            aria-describedby={`${id}-${value}-hint`}
            value={value}
            {...register('when')}
          />
          <label htmlFor={`${id}-${value}`}>{label}</label>
          <p className="quiet-text" id={`${id}-${value}-hint`}>
            {hint}
          </p>
        </div>
      ))}
      {when === 'later' && (
        <>
          <Field label={`Date and time (${siteTimeZone()})`} error={errors.scheduledDate?.message}>
            {(props) => (
              <input {...props} type="datetime-local" required {...register('scheduledDate')} />
            )}
          </Field>
          <WhenInWords control={control} register={register} />
        </>
      )}
    </fieldset>
  );
}

const times = [
  { value: 'now', label: 'Now', hint: 'Sent as soon as you confirm it after the review.' },
  { value: 'later', label: 'Later', hint: 'Sent at a date and time that you choose.' },
] as const;

function Audience({ form: { register, control, errors } }: { form: Form }) {
  const audience = useWatch({ control, name: 'targetAudience' });
  const id = useId();
  return (
    <fieldset className="sms-audience">
      <legend>Audience</legend>
      {audiences.map(({ value, label, hint }) => (
        <div className="check" key={value}>
          <input
            type="radio"
            id={`${id}-${value}`}
            aria-describedby={`${id}-${value}-hint`}
            value={value}
            {...register('targetAudience')}
          />
          <label htmlFor={`${id}-${value}`}>{label}</label>
          <p className="quiet-text" id={`${id}-${value}-hint`}>
            {hint}
          </p>
        </div>
      ))}
      {audience === 'landing_page' && (
        <Field label="Landing page" error={errors.landingPageFilter?.message}>
          {(props) => (
            <RaffleSelect
              {...props}
              none="Choose a landing page"
              required
              {...register('landingPageFilter')}
            />
          )}
        </Field>
      )}
      {audience === 'custom' && (
        <>
          <Field
            label="Phone numbers"
            hint="Separated by commas or lines, such as +1234567890."
            error={errors.customPhoneNumbers?.message}
          >
            {(props) => (
              <textarea
                {...props}
                rows={5}
                required
                inputMode="tel"
                autoComplete="off"
                spellCheck={false}
                {...register('customPhoneNumbers')}
              />
            )}
          </Field>
          <ListSummaryText control={control} />
          <Field
            label="Why these numbers may be texted"
            hint="Stands in the evidence for each text, such as: They signed up at our booth in July."
            error={errors.consentBasis?.message}
          >
            {(props) => (
              <input {...props} autoComplete="off" required {...register('consentBasis')} />
            )}
          </Field>
        </>
      )}
    </fieldset>
  );
}

const audiences = [
  {
    value: 'all',
    label: 'Everyone',
    hint: 'All entrants who agreed to texts, are not flagged and have not replied STOP.',
  },
  {
    value: 'landing_page',
    label: 'One landing page',
    hint: 'The same people, but only those who entered on that page.',
  },
  {
    value: 'custom',
    label: 'A list of numbers',
    hint: 'Exactly these, but for numbers that replied STOP or reached the monthly limit, and entrants who did not agree to texts.',
  },
] as const;
