import type { SubmitEvent } from 'react';
import { useWatch, type Control } from 'react-hook-form';
import type { SmsTemplateView } from '../../api/sms';
import { insertInto } from '../../form/insertInto';
import { raffleNames } from '../../../shared/lib/raffleNames';
import { Button } from '../../ui/Button';
import { Checkbox } from '../../ui/Checkbox';
import { Field } from '../../ui/Field';
import { MessagePreview } from '../../ui/MessagePreview';
import { exampleText, LINK, type TemplateValues } from './templateValues';
import { useTemplateForm } from './useTemplateForm';

interface Props {
  /** Without one, a new one is made. */
  edited?: SmsTemplateView;
  onClose: () => void;
}

export function TemplateForm({ edited, onClose }: Props) {
  const { register, control, errors, pending, problem, save } = useTemplateForm(edited, onClose);
  const placeholder = edited?.linkPlaceholder ?? LINK;

  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    save();
  };

  return (
    <form className="sms-form" onSubmit={submit} noValidate>
      <div className="field-pair">
        <Field label="Name" hint="Only staff see it." error={errors.name?.message}>
          {(props) => <input {...props} autoComplete="off" required {...register('name')} />}
        </Field>
        <Field label="Landing page" error={errors.landingPage?.message}>
          {(props) => (
            <select {...props} {...register('landingPage')}>
              {Object.entries(raffleNames).map(([key, name]) => (
                <option key={key} value={key}>
                  {name}
                </option>
              ))}
            </select>
          )}
        </Field>
      </div>
      <Field
        label="Message template"
        hint={`${placeholder} becomes each recipient’s own link.`}
        error={errors.messageTemplate?.message}
      >
        {(props) => <textarea {...props} rows={5} required {...register('messageTemplate')} />}
      </Field>
      <div>
        <Button size="small" onClick={(event) => insertInto(event, 'messageTemplate', placeholder)}>
          Insert {placeholder}
        </Button>
      </div>
      <LivePreview control={control} />
      <Checkbox
        label="Active"
        hint="Only active templates can be chosen for a campaign."
        {...register('isActive')}
      />
      <div role="alert" className="problem">
        {problem}
      </div>
      <div className="actions">
        <Button type="submit" variant="primary" busy={pending}>
          {pending ? 'Saving...' : edited ? 'Save template' : 'Create template'}
        </Button>
        <Button onClick={onClose} busy={pending}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

function LivePreview({ control }: { control: Control<TemplateValues> }) {
  const [message, placeholder, landingPage] = useWatch({
    control,
    name: ['messageTemplate', 'linkPlaceholder', 'landingPage'],
  });
  return <MessagePreview text={exampleText(message, placeholder, landingPage)} />;
}
