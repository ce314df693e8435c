import * as common from '@nestjs/common';
import * as nodemailer from 'nodemailer';
import { evaluatePackage } from './evaluate-package.js';

/** Stands for @nestjs-modules/mailer under Jest, and is it. */
export const { MailerModule, MailerService } = evaluatePackage('@nestjs-modules/mailer/dist', {
  '@nestjs/common': common,
  nodemailer,
}) as typeof import('@nestjs-modules/mailer');
