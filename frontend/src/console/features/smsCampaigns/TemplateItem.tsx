import { useState } from 'react';
import {
  useLazyListSmsTemplatesQuery,
  useUpdateSmsTemplateMutation,
  type SmsTemplateView,
} from '../../api/sms';
import { countOf, formatDay } from '../../../shared/lib/format';
import { raffleNames } from '../../../shared/lib/raffleNames';
import { segmentsOf } from '../../lib/smsSegments';
import { useAct } from '../../lib/useAct';
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
  const { id, name, isActive } = template;
  const [list] = useLazyListSmsTemplatesQuery();
  const [update] = useUpdateSmsTemplateMutation();
  const toast = useToast();

  const { pending, problem, run } = useAct(({ sentence }) => {
    toast({ title: 'Failed to update template', description: sentence, tone: 'bad' });
    return sentence;
  });

  // The server takes whole templates only, and another tab may have changed this one: its newest state is sent back.
  async function activate(next: boolean) {
    const { templates } = await list().unwrap();
    const newest = templates.find((each) => each.id === id) ?? template;
    const smsTemplateBody = { ...bodyOf(valuesOf(newest)), isActive: next };
    await update({ id, smsTemplateBody }).unwrap();
    toast({ title: 'Template updated successfully' });
  }

  return (
    <div>
      <Switch
        label={`Active: ${name}`}
        state={isActive ? 'Can be chosen for campaigns' : 'Cannot be chosen for campaigns'}
        checked={isActive}
        busy={pending}
        onChange={(next) => run(() => activate(next))}
      />
      <p className="stale" role="status">
        {problem}
      </p>
    </div>
  );
}
