import type { GenericWords } from './types';

export const generic: GenericWords = {
  shareHeading: 'Double Your Chances',
  successTitle: "You're Entered!",
  share: {
    emailSubject: 'Amazing Raffle - Win Premium Supplies!',
    emailBody: [
      'Hi,',
      'I entered a free monthly raffle for supplies worth {VALUE}. No purchase required.',
      'You can enter here: {LINK}',
      'All it takes is a phone number. If you enter through my link, I get an extra entry.',
    ].join('\n\n'),
    textBody:
      'I entered a free monthly raffle for supplies worth {VALUE}. Enter through my link and I get an extra entry: {LINK}',
  },
  pages: {
    welcome: {
      title: '{{ count }}, free every month',
      metaTitle: '{{ count }}, free every month',
      metaDescription:
        'Free monthly raffles. Enter with your phone number. No purchase required.',
    },
    referral: {
      title: '{{ raffle.title }}',
      metaTitle: 'A friend invited you to a free monthly raffle',
      metaDescription:
        'Enter the free monthly raffle for the {{ raffle.name }}, worth {{ raffle.value }}, with your phone number. No purchase required.',
    },
    success: {
      title: "You're Entered!",
      metaTitle: 'Your entries',
      metaDescription: 'Your entries, your referral link and the friends who joined through it.',
    },
    privacy: {
      title: 'Privacy policy',
      metaTitle: 'Privacy Policy',
      metaDescription:
        'What we store when you enter, why, for how long, and how to stop texts or ask about your data.',
    },
    contact: {
      title: 'Contact us',
      metaTitle: 'Contact Us',
      metaDescription: 'How to reach us about your entries, a prize, a text or your data.',
    },
    notFound: {
      title: '404 Page Not Found',
      metaTitle: '404 Page Not Found',
      metaDescription: 'There is no page at this address.',
    },
  },
};
