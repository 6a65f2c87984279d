<?xml version="1.0" encoding="UTF-8"?>
<!--
  The pieces that every layout is put together from: text, captions, pictures, notices. No layout of its own, and not
  one measure or colour: those are in styles.xsl.

  A layout turns a draft (draft.rng says what that looks like) into the content of one note, in ENML, Evernote's kind
  of HTML. Dates, lines, links, boxes and words come ready-made in the draft, in its language; a layout only places
  them.

  To make a layout of your own, start with one that ships and say what is different:

      <xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">
        <xsl:import href="full.xsl"/>
        <xsl:variable name="grey" select="'#3d6b8c'"/>
      </xsl:stylesheet>

  Save it as NAME.xsl in the folder `layouts` beside evergear's configuration and ask for it as layout NAME, or
  give its path. It may import the six sheets of this folder by their plain names, and read nothing else.

  Two things to know when changing more than a colour:
  * ENML knows no empty elements but br, hr, en-media and en-todo, and no class, id or script. So test first whether
    there is something to put in a div.
  * Styles only tune what the order of the elements already says. Readers that drop them must still show a good note.
-->
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">

  <xsl:output method="xml" encoding="UTF-8" indent="no" doctype-system="http://xml.evernote.com/pub/enml2.dtd"/>
  <xsl:strip-space elements="draft text list memo sheet photo"/>

  <!-- What can be dressed. Here each is bare; styles.xsl gives it a style attribute, and so can you. -->
  <xsl:attribute-set name="note"/>             <!-- the whole -->
  <xsl:attribute-set name="heading"/>          <!-- a day, "Photos" -->
  <xsl:attribute-set name="rule"/>
  <xsl:attribute-set name="gap"/>              <!-- the blank line between memos -->
  <xsl:attribute-set name="notice"/>
  <xsl:attribute-set name="caption"/>          <!-- the line over a memo … -->
  <xsl:attribute-set name="caption-time"/>     <!-- … the time in it … -->
  <xsl:attribute-set name="caption-detail"/>   <!-- … all that is not the time … -->
  <xsl:attribute-set name="caption-place"/>    <!-- … and the link to the map -->
  <xsl:attribute-set name="list"/>
  <xsl:attribute-set name="picture"/>          <!-- large or small -->
  <xsl:attribute-set name="picture-caption"/>  <!-- the line under a large picture -->

  <!-- The note from top to bottom. Each layout has a template `memos`. -->
  <xsl:template match="draft">
    <en-note xsl:use-attribute-sets="note">
      <xsl:apply-templates select="notice[@at='top']"/>
      <xsl:apply-templates select="text"/>
      <xsl:if test="text and (memo or sheet)">
        <xsl:call-template name="gap"/>
        <xsl:call-template name="rule"/>
      </xsl:if>
      <xsl:call-template name="memos"/>
      <xsl:apply-templates select="notice[@at='end']"/>
      <xsl:if test="not(text or memo or sheet or notice)"><div><br/></div></xsl:if>
    </en-note>
  </xsl:template>

  <!-- Text: a div for each line. A blank one holds a br, so that it is seen everywhere. -->
  <xsl:template match="line"><div><xsl:apply-templates/></div></xsl:template>
  <xsl:template match="blank"><div><br/></div></xsl:template>
  <xsl:template match="todo"><div><en-todo checked="{@checked}"/><xsl:apply-templates/></div></xsl:template>
  <xsl:template match="list[@kind='bullet']"><ul xsl:use-attribute-sets="list"><xsl:apply-templates/></ul></xsl:template>
  <xsl:template match="list[@kind='number']"><ol xsl:use-attribute-sets="list"><xsl:apply-templates/></ol></xsl:template>
  <xsl:template match="item"><li><div><xsl:apply-templates/></div></li></xsl:template>
  <xsl:template match="link"><a href="{@href}"><xsl:value-of select="."/></a></xsl:template>

  <!-- Between the pieces. -->
  <xsl:template name="gap"><div xsl:use-attribute-sets="gap"><br/></div></xsl:template>
  <xsl:template name="rule"><hr xsl:use-attribute-sets="rule"/></xsl:template>
  <xsl:template match="@day | @photos"><h3 xsl:use-attribute-sets="heading"><xsl:value-of select="."/></h3></xsl:template>

  <!-- What a part says at its top and its end, and what is said about a photo that could not be shown. -->
  <xsl:template match="notice[@at='top']">
    <div xsl:use-attribute-sets="notice"><xsl:value-of select="."/></div>
    <xsl:call-template name="gap"/>
  </xsl:template>
  <xsl:template match="notice[@at='end']">
    <xsl:call-template name="gap"/>
    <div xsl:use-attribute-sets="notice"><xsl:value-of select="."/></div>
  </xsl:template>
  <xsl:template match="@notice"><div xsl:use-attribute-sets="notice"><xsl:value-of select="."/></div></xsl:template>

  <!-- The line over a memo:  14 · 05:48 UTC+9 · 35.2945, 136.2563 · dawn.jpg
       Only what the reader asked for is in the draft; where there is nothing, there is no line. -->
  <xsl:variable name="dot" select="'&#160;· '"/>
  <xsl:template match="memo" mode="caption">
    <xsl:param name="names" select="@names"/>
    <xsl:if test="@numbers or moment or place or $names">
      <div xsl:use-attribute-sets="caption">
        <xsl:if test="@numbers">
          <span xsl:use-attribute-sets="caption-detail">
            <xsl:value-of select="@numbers"/>
            <xsl:if test="moment or place or $names"><xsl:value-of select="$dot"/></xsl:if>
          </span>
        </xsl:if>
        <xsl:if test="moment">
          <b xsl:use-attribute-sets="caption-time"><xsl:value-of select="moment/@clock"/></b>
        </xsl:if>
        <xsl:if test="moment/@zone or place or $names">
          <span xsl:use-attribute-sets="caption-detail">
            <xsl:if test="moment/@zone"><xsl:value-of select="concat(' ', moment/@zone)"/></xsl:if>
            <xsl:if test="moment and place"><xsl:value-of select="$dot"/></xsl:if>
            <xsl:apply-templates select="place"/>
            <xsl:if test="(moment or place) and $names"><xsl:value-of select="$dot"/></xsl:if>
            <xsl:value-of select="$names"/>
          </span>
        </xsl:if>
      </div>
    </xsl:if>
  </xsl:template>
  <xsl:template match="place">
    <a href="{@href}" xsl:use-attribute-sets="caption-place"><xsl:value-of select="@label"/></a>
  </xsl:template>

  <!-- A picture as wide as the page, in a div of its own. Without a size it fits the column of every app; styles.xsl
       gives a tall one a width. -->
  <xsl:template match="photo" mode="large">
    <xsl:if test="full">
      <div>
        <en-media hash="{full/@hash}" type="{full/@mime}" alt="{@alt}" xsl:use-attribute-sets="picture">
          <xsl:apply-templates select="full/@show-width"/>
        </en-media>
      </div>
    </xsl:if>
    <xsl:apply-templates select="@notice"/>
  </xsl:template>
  <xsl:template match="full/@show-width"/>

  <!-- A video is attached: readers show a player or a file, and so its name stands under it. -->
  <xsl:template match="photo[@kind='video']" mode="large">
    <xsl:if test="full"><div><en-media hash="{full/@hash}" type="{full/@mime}"/></div></xsl:if>
    <xsl:apply-templates select="@notice"/>
  </xsl:template>

  <!-- A small picture. Its box is a number of pixels, which every importer understands. -->
  <xsl:template match="photo" mode="small">
    <en-media hash="{thumb/@hash}" type="{thumb/@mime}" alt="{@alt}" width="{thumb/@show-width}" height="{thumb/@show-height}" xsl:use-attribute-sets="picture"/>
  </xsl:template>

  <!-- The line under a large picture. -->
  <xsl:template match="@caption | @label"><div xsl:use-attribute-sets="picture-caption"><xsl:value-of select="."/></div></xsl:template>

</xsl:stylesheet>
