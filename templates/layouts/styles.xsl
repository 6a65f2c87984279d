<?xml version="1.0" encoding="UTF-8"?>
<!--
  Every measure and the one colour of the layouts full, thumbs and thumbs+full. A layout without CSS leaves this out.

  A sheet of your own that imports one of them may set a variable anew, or a whole attribute set: what the importing
  sheet says is what holds.
-->
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">

  <xsl:variable name="width" select="'720px'"/>  <!-- of the note, at most -->
  <xsl:variable name="grey" select="'#757575'"/> <!-- readable on white and on black, so dark themes stay right -->
  <xsl:variable name="small" select="'font-size: 13px; line-height: 1.6;'"/>

  <xsl:attribute-set name="note">
    <xsl:attribute name="style">max-width: <xsl:value-of select="$width"/>; font-size: 16px; line-height: 1.6; overflow-wrap: break-word;</xsl:attribute>
  </xsl:attribute-set>
  <xsl:attribute-set name="heading">
    <xsl:attribute name="style">font-size: 16px; line-height: 1.6; font-weight: 600; margin: 0 0 14px;</xsl:attribute>
  </xsl:attribute-set>
  <xsl:attribute-set name="rule">
    <xsl:attribute name="style">height: 0; border: 0; border-top: 1px solid rgba(128,128,128,.4); margin: 8px 0 20px;</xsl:attribute>
  </xsl:attribute-set>
  <xsl:attribute-set name="gap">
    <xsl:attribute name="style">font-size: 13px; line-height: 28px;</xsl:attribute>
  </xsl:attribute-set>
  <xsl:attribute-set name="gap-to-picture">
    <xsl:attribute name="style">font-size: 8px; line-height: 8px;</xsl:attribute>
  </xsl:attribute-set>
  <xsl:attribute-set name="notice">
    <xsl:attribute name="style"><xsl:value-of select="$small"/> color: <xsl:value-of select="$grey"/>;</xsl:attribute>
  </xsl:attribute-set>

  <xsl:attribute-set name="caption">
    <xsl:attribute name="style"><xsl:value-of select="$small"/></xsl:attribute>
  </xsl:attribute-set>
  <xsl:attribute-set name="caption-time">
    <xsl:attribute name="style">font-weight: 600;</xsl:attribute>
  </xsl:attribute-set>
  <xsl:attribute-set name="caption-detail">
    <xsl:attribute name="style">color: <xsl:value-of select="$grey"/>;</xsl:attribute>
  </xsl:attribute-set>
  <xsl:attribute-set name="caption-place">
    <xsl:attribute name="style">color: <xsl:value-of select="$grey"/>; text-decoration: underline;</xsl:attribute>
  </xsl:attribute-set>

  <!-- A list clips itself, so that its bullets stand clear of a picture at the left. -->
  <xsl:attribute-set name="list">
    <xsl:attribute name="style">margin: 0; padding-left: 24px; overflow: hidden;</xsl:attribute>
  </xsl:attribute-set>

  <xsl:attribute-set name="picture">
    <xsl:attribute name="style">max-width: 100%; height: auto; border-radius: 3px; vertical-align: top;</xsl:attribute>
  </xsl:attribute-set>
  <xsl:attribute-set name="picture-caption">
    <xsl:attribute name="style"><xsl:value-of select="$small"/> color: <xsl:value-of select="$grey"/>; margin: 4px 0 0;</xsl:attribute>
  </xsl:attribute-set>
  <!-- A tall picture gets a width, so that it is no taller than the window. -->
  <xsl:template match="full/@show-width"><xsl:attribute name="width"><xsl:value-of select="."/></xsl:attribute></xsl:template>

  <!-- Cards: the small picture at the left, 20 px to the words. -->
  <xsl:attribute-set name="card">
    <xsl:attribute name="style">overflow: hidden;</xsl:attribute>
  </xsl:attribute-set>
  <xsl:attribute-set name="card-left">
    <xsl:attribute name="style">float: left; width: 120px; margin: 3px 20px 0 0;</xsl:attribute>
  </xsl:attribute-set>
  <xsl:attribute-set name="card-above">
    <xsl:attribute name="style">margin: 0 0 8px;</xsl:attribute>
  </xsl:attribute-set>
  <xsl:attribute-set name="card-column">
    <xsl:attribute name="style">overflow: hidden;</xsl:attribute>
  </xsl:attribute-set>

  <!-- Rows of small pictures. They are inline, so they form rows without any style. -->
  <xsl:attribute-set name="row">
    <xsl:attribute name="style">line-height: 0;</xsl:attribute>
  </xsl:attribute-set>
  <xsl:attribute-set name="row-above">
    <xsl:attribute name="style">line-height: 0; margin: 0 0 4px;</xsl:attribute>
  </xsl:attribute-set>
  <xsl:attribute-set name="row-picture">
    <xsl:attribute name="style">display: inline-block; margin: 0 0 4px;</xsl:attribute>
  </xsl:attribute-set>
  <xsl:attribute-set name="sheet-caption">
    <xsl:attribute name="style"><xsl:value-of select="$small"/> margin: 0 0 8px;</xsl:attribute>
  </xsl:attribute-set>

</xsl:stylesheet>
