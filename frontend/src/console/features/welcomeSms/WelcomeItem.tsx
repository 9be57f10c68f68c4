import { useState } from 'react';
import type { LandingPageView } from '../../api/admin';
import type { WelcomeSmsView } from '../../api/sms';
import { countOf, formatDay } from '../../../shared/lib/format';
import { raffleName } from '../../lib/raffles';
import { segmentsOf } from '../../lib/smsSegments';
import { useMay } from '../../session/me';
import { Badge } from '../../ui/Badge';
import { Button } from '../../ui/Button';
import { DeleteWelcome } from './DeleteWelcome';
import { WelcomeForm } from './WelcomeForm';
import { WelcomeSwitch } from './WelcomeSwitch';
import { exampleText } from './welcomeText';
import type { WelcomeValues } from './welcomeValues';

interface Props {
  landingPage: LandingPageView;
  /** Without one of its own, the default message is sent. */
  template: WelcomeSmsView | undefined;
  defaultTemplate: string;
}

/** The welcome message of a landing page; it is edited in place. */
export function WelcomeItem({ landingPage, template, defaultTemplate }: Props) {
  const mayChange = useMay('manage_texts');
  const [asking, setAsking] = useState<'edit' | 'delete'>();
  const [edited, setEdited] = useState<WelcomeValues>(); // stays with what is typed, whatever other tabs do
  const close = () => setAsking(undefined);

  function edit({ messageTemplate }: WelcomeSmsView) {
    setEdited({ landingPage, messageTemplate });
    setAsking('edit');
  }

  return (
    <li>
      <h3>
        {raffleName(landingPage)} {!template && <Badge>Default message</Badge>}
        {template && !template.isActive && <Badge tone="warn">Inactive</Badge>}
      </h3>
      {asking === 'edit' && edited ? (
        <WelcomeForm edited={edited} onClose={close} />
      ) : (
        <>
          <Message text={template?.messageTemplate ?? defaultTemplate} landingPage={landingPage} />
          {template && (
            <div className="sms-template-foot">
              <div>
                {mayChange && <WelcomeSwitch template={template} />}
                <p className="quiet-text">
                  Changed {formatDay(template.updatedAt)}
                  {template.createdBy && `, created by ${template.createdBy}`}
                </p>
              </div>
              {mayChange && (
                <span className="act">
                  <Button size="small" onClick={() => edit(template)}>
                    Edit <span className="unseen">{raffleName(landingPage)}</span>
                  </Button>
                  <Button size="small" onClick={() => setAsking('delete')}>
                    Delete <span className="unseen">{raffleName(landingPage)}</span>
                  </Button>
                </span>
              )}
            </div>
          )}
        </>
      )}
      {asking === 'delete' && <DeleteWelcome landingPage={landingPage} onClose={close} />}
    </li>
  );
}

function Message({ text, landingPage }: { text: string; landingPage: LandingPageView }) {
  const { segments, encoding } = segmentsOf(exampleText(text, landingPage));
  return (
    <>
      <p className="sms-words">{text}</p>
      <p className="quiet-text">
        {countOf(segments, 'segment')}, {encoding}
      </p>
    </>
  );
}
