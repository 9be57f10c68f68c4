import { useState } from 'react';
import { useUpdateSmsTemplateMutation, type SmsTemplateView } from '../../api/sms';
import { asApiError } from '../../../shared/api/apiError';
import { countOf, formatDay } from '../../../shared/lib/format';
import { raffleNames } from '../../../shared/lib/raffleNames';
import { segmentsOf } from '../../lib/smsSegments';
import { Button } from '../../ui/Button';
import { Switch } from '../../ui/Switch';
import { useToast } from '../../../shared/ui/toast/useToast';
import { TemplateForm } from './TemplateForm';
import { bodyOf, exampleText, valuesOf } from './templateValues';

/** A template in the list; it is changed where it stands. */
export function TemplateItem({ template }: { template: SmsTemplateView }) {
  const [isEditing, setEditing] = useState(false);
  return (
    <li>
      <h3>{template.name}</h3>
      {isEditing ? (
        <TemplateForm edited={template} onClose={() => setEditing(false)} />
      ) : (
        <Shown template={template} onEdit={() => setEditing(true)} />
      )}
    </li>
  );
}

function Shown({ template, onEdit }: { template: SmsTemplateView; onEdit: () => void }) {
  const { name, landingPage, messageTemplate, linkPlaceholder, createdAt } = template;
  const { segments, encoding } = segmentsOf(
    exampleText(messageTemplate, linkPlaceholder, landingPage),
  );
  return (
    <>
      <p className="quiet-text">
        {raffleNames[landingPage]} · {countOf(segments, 'segment')}, {encoding} · created{' '}
        {formatDay(createdAt)}
      </p>
      <p className="sms-words">{messageTemplate}</p>
      <div className="sms-template-foot">
        <ActiveSwitch template={template} />
        <Button size="small" onClick={onEdit}>
          Edit <span className="unseen">{name}</span>
        </Button>
      </div>
    </>
  );
}

function ActiveSwitch({ template }: { template: SmsTemplateView }) {
  const [update, { isLoading, error }] = useUpdateSmsTemplateMutation();
  const toast = useToast();

  async function activate(isActive: boolean) {
    const smsTemplateBody = { ...bodyOf(valuesOf(template)), isActive };
    const { error: failure } = await update({ id: template.id, smsTemplateBody });
    if (failure) {
      const description = asApiError(failure).sentence;
      return toast({ title: 'Failed to update template', description, tone: 'bad' });
    }
    toast({ title: 'Template updated successfully' });
  }

  return (
    <div>
      <Switch
        label={`Active: ${template.name}`}
        state={template.isActive ? 'Can be chosen for campaigns' : 'Cannot be chosen for campaigns'}
        checked={template.isActive}
        busy={isLoading}
        onChange={(next) => void activate(next)}
      />
      <p className="stale" role="status">
        {error && asApiError(error).sentence}
      </p>
    </div>
  );
}
