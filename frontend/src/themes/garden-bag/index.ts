import type { Theme } from '../types';
import { Scene } from './Scene';

export const gardenBag: Theme = {
  key: 'garden-bag',
  name: 'Garden Bag Essentials',
  title: 'Win the Garden Bag Essentials',
  tagline: 'A canvas bag, packed for a season of growing.',
  description:
    'One bag with the tools you reach for every day and the seeds to get started.',
  kit: [
    { item: 'Canvas tool bag', detail: 'Waxed cotton, eight pockets, leather handles', value: 38 },
    { item: 'Hand trowel', detail: 'Forged steel with an ash handle', value: 24 },
    { item: 'Hand fork', detail: 'Three tines, made to match the trowel', value: 22 },
    { item: 'Bypass pruners', detail: 'For stems up to three quarters of an inch', value: 32 },
    { item: 'Garden gloves', detail: 'Leather palms, cotton backs, sizes S to XL', value: 18 },
    { item: 'Seed box', detail: 'Ten packets of vegetables, herbs and flowers', value: 24 },
  ],
  totalValue: '$150+',
  metaTitle: 'Win the Garden Bag Essentials, free every month',
  metaDescription:
    'A free monthly raffle for a canvas bag of garden tools and seeds worth $150+. Enter with your phone number. No purchase required.',
  ogImage: 'og-garden-bag.png',
  emailSubject: 'Amazing Raffle - Win Premium Supplies!',
  emailBody: (link) =>
    [
      'Hi,',
      'I entered a free monthly raffle for the Garden Bag Essentials: a canvas bag of garden tools and seeds worth $150+. No purchase required.',
      `You can enter here: ${link}`,
      'All it takes is a phone number. If you enter through my link, I get an extra entry.',
    ].join('\n\n'),
  textBody: (link) =>
    `I entered a free monthly raffle for a bag of garden tools and seeds worth $150+. Enter through my link and I get an extra entry: ${link}`,
  showsNextDrawing: false,
  successTitle: 'Garden Bag Success!',
  Scene,
};
