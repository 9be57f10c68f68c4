import { useFindCampaignQuery, useListSmsTemplatesQuery, type CampaignView } from '../../api/sms';
import { siteTimeZone } from '../../../shared/lib/nextDrawing';
import { Card } from '../../ui/Card';
import { QueryView } from '../../ui/states';
import { CampaignForm } from './CampaignForm';
import { againOf, valuesOf } from './campaignValues';

interface Props {
  campaign: CampaignView;
  /** A new campaign like this one, or this one while it is pending. */
  as: 'again' | 'edit';
  onClose: () => void;
  onDone: () => void;
}

/** The form with what a campaign was scheduled with. */
export function FilledCampaign({ campaign, as, onClose, onDone }: Props) {
  const { id, campaignName } = campaign;
  // Read once, with its whole list: what is typed must not change when the report is refreshed.
  const whole = useFindCampaignQuery({ id, customPhoneNumbers: 'whole' });
  const templates = useListSmsTemplatesQuery({});
  const isEdit = as === 'edit';
  return (
    <Card title={isEdit ? `Edit ${campaignName}` : `New campaign like ${campaignName}`}>
      <QueryView query={templates} holdsForm>
        {({ templates: rows }) => (
          <QueryView query={whole} quiet holdsForm>
            {({ campaign: found }) => {
              const active = rows.filter((each) => each.isActive);
              const filled = (isEdit ? valuesOf : againOf)(found, siteTimeZone());
              const isThere = active.some((each) => each.id === found.templateId);
              return (
                <CampaignForm
                  templates={active}
                  values={isThere ? filled : { ...filled, templateId: '' }}
                  {...(isEdit && { edited: id })}
                  onClose={onClose}
                  onDone={onDone}
                />
              );
            }}
          </QueryView>
        )}
      </QueryView>
    </Card>
  );
}
