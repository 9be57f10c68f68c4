import { useState } from 'react';
import { useSwitchSmsTemplateMutation, type SmsTemplateView } from '../../api/sms';
import { countOf, formatDay } from '../../../shared/lib/format';
import { raffleName } from '../../lib/raffles';
import { segmentsOf } from '../../lib/smsSegments';
import { useAct } from '../../lib/useAct';
import { useMay } from '../../session/me';
import { Badge } from '../../ui/Badge';
import { Button } from '../../ui/Button';
import { Switch } from '../../ui/Switch';
import { useToast } from '../../../shared/ui/toast/useToast';
import { TestText } from '../../ui/testText/TestText';
import { TemplateForm } from './TemplateForm';
import { exampleText } from './templateValues';

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
  const { name, landingPage, messageTemplate, linkPlaceholder, createdAt, createdBy, isActive } =
    template;
  const mayChange = useMay('manage_texts');
  const [isTesting, setTesting] = useState(false);
  const { segments, encoding } = segmentsOf(
    exampleText(messageTemplate, linkPlaceholder, landingPage),
  );
  return (
    <>
      <p className="quiet-text">
        {raffleName(landingPage)} · {countOf(segments, 'segment')}, {encoding} · created{' '}
        {formatDay(createdAt)}
        {createdBy && ` by ${createdBy}`}
      </p>
      <p className="sms-words">{messageTemplate}</p>
      {mayChange ? (
        <div className="sms-template-foot">
          <ActiveSwitch template={template} />
          <div className="actions">
            {!isTesting && (
              <Button size="small" onClick={() => setTesting(true)}>
                Send a test <span className="unseen">of {name}</span>
              </Button>
            )}
            <Button size="small" onClick={onEdit}>
              Edit <span className="unseen">{name}</span>
            </Button>
          </div>
        </div>
      ) : (
        <p>{isActive ? <Badge tone="good">Active</Badge> : <Badge>Inactive</Badge>}</p>
      )}
      {isTesting && <TestText templateId={template.id} onClose={() => setTesting(false)} />}
    </>
  );
}

function ActiveSwitch({ template }: { template: SmsTemplateView }) {
  const { id, name, isActive } = template;
  const [change] = useSwitchSmsTemplateMutation();
  const toast = useToast();

  const { pending, problem, run } = useAct(({ sentence }) => {
    toast({ title: 'Failed to update template', description: sentence, tone: 'bad' });
    return sentence;
  });

  async function activate(isActive: boolean) {
    await change({ id, activeBody: { isActive } }).unwrap();
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
